import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.codelibs.opensearch.runner.node.OpenSearchRunnerNode;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.plugins.Plugin;

/**
 * Runs one node of OpenSearch on loopback. Arguments: folder, HTTP port, transport port, and the transport ports of the others
 * of its cluster.
 */
public class Node {
  private static final List<String> PLUGINS = List.of(
      "transport.Netty4", "analysis.common.CommonAnalysis", "painless.Painless", "index.mapper.MapperExtras", "index.reindex.Reindex");

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]).toAbsolutePath();
    Files.createDirectories(folder.resolve("config"));
    List<String> ports = List.of(arguments).subList(2, arguments.length);
    String name = "node-" + arguments[2];
    Settings settings = Settings.builder()
        .put("path.home", folder).put("path.data", folder.resolve("data")).put("path.logs", folder.resolve("logs"))
        .put("cluster.name", "findwell-test").put("node.name", name)
        .put("network.host", "127.0.0.1").put("http.type", "netty4").put("transport.type", "netty4")
        .put("http.port", arguments[1]).put("transport.port", arguments[2])
        .putList("discovery.seed_hosts", ports.stream().map(port -> "127.0.0.1:" + port).toList())
        .putList("cluster.initial_cluster_manager_nodes", ports.stream().map(port -> "node-" + port).toList())
        .put("cluster.routing.allocation.disk.threshold_enabled", false)
        .put("cluster.max_shards_per_node", 5000)
        .put("action.auto_create_index", false)
        // Tests make many indexes, each with similarities of its own.
        .put("script.disable_max_compilations_rate", true)
        // The heap is small: what was not collected yet is not in use.
        .put("indices.breaker.total.use_real_memory", false)
        .build();
    List<Class<? extends Plugin>> plugins = new ArrayList<>();
    for (String plugin : PLUGINS) {
      plugins.add(Class.forName("org.opensearch." + plugin + "Plugin").asSubclass(Plugin.class));
    }
    OpenSearchRunnerNode node = new OpenSearchRunnerNode(new Environment(settings, folder.resolve("config")), plugins);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(node)));
    node.start();
    Thread.currentThread().join();
  }

  private static void stop(OpenSearchRunnerNode node) {
    try {
      node.close();
    } catch (Exception error) {
      error.printStackTrace();
    }
  }
}
